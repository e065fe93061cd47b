un
<a> <b> deux
</b> trois
