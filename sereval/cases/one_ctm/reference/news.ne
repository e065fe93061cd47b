<org> Dol </org>
