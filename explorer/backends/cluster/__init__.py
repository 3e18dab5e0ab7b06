"""An index whose folders are on the disks of the workers of a Dask cluster."""
