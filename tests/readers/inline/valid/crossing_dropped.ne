<a> un
<b> <c> deux </c> </a> trois </b> <b> <b> quatre </b> </b>
