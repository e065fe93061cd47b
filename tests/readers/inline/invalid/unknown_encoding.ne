un
