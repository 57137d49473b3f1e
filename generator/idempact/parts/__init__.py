"""Parts of a site that take more than one room to make, for `build` to put together."""
