président <pers.hum> Chirac </pers.hum> parle
