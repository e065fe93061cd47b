<a> un
<b> <c> deux </c> </a> trois </b> <b> <d> quatre </d> </b>
