un
l&apos;eau
