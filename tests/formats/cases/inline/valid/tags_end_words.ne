<name>Dol</name>, 12
a<b>c</b>d
