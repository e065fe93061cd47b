<pers> M. et <pers> Mme Chirac </pers> </pers> habitent à <loc> Paris </loc>, rue de <loc> Dol </loc>
