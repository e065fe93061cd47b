AT&T R & D &lt;b&gt; &amp;lt; a -> b &amp;eacute; &
