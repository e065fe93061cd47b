{"id": "show", "words": ["Dol"], "elements": []}
