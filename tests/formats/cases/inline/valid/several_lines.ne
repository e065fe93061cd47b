

le <persé.x:y-z_1> Président

de la
</persé.x:y-z_1> République

