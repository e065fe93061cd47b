<a> un
<b> deux </a> trois </b>
