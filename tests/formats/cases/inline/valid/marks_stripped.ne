<pers> <name> ^Ada </name> <x> %% </x> </pers> &euh <y> <z> %% </z> %% </y> <a> (frag)ment <b> *c </b> </a> 12%
