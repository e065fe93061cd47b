<pers> Ada </pers> rit
