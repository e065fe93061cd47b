un
<a>
</a> deux
