<pers.hum> <func.pol> président </func.pol> <pers.hum> Chirac </pers.hum> </pers.hum> parle
