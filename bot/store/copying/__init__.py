"""Copy a whole database into another, of the same engine or the other one."""
