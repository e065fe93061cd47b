good evening I am <PERSON> Newt Gingrich </PERSON> from the <ORGANIZATION> F B I </ORGANIZATION> absolute office
