<pers.hum> président Chirac </pers.hum> parle
