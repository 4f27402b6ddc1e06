

/device:ÿÿ