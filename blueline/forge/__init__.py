"""The forge: the same hunks, offered on GitHub, to be taken one by one."""
