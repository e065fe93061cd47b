<loc> ^Orléans </loc> &euh (frag)ment *c %% 12 ¤
