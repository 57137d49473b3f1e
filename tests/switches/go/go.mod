module example.com/switches

go 1.23

require github.com/hashicorp/go-retryablehttp v0.7.8
