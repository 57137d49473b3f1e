module vectors

go 1.26

require github.com/failsafe-go/failsafe-go v0.9.7

require github.com/bits-and-blooms/bitset v1.24.4 // indirect
