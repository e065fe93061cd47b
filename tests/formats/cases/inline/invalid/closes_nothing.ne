un
deux </a>
