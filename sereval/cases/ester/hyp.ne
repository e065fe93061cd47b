<pers.hum> <func.mil> président </func.mil> Chirac </pers.hum> parle
