package sas

// unpackRuns decompresses run-length encoding ("CHAR"): the high half of a byte is a command, and the low half,
// with further bytes, its count. whole is false unless the output has exactly the given size.
func unpackRuns(dst, packed []byte, size int) (out []byte, whole bool) {
	start := len(dst)
	for len(packed) > 0 {
		command, low := packed[0]>>4, int(packed[0]&0xf)
		packed = packed[1:]
		count, long := runCount(command, low)
		if long {
			if len(packed) == 0 {
				return dst, false
			}
			count += int(packed[0])
			packed = packed[1:]
		}
		var filler byte
		switch command {
		case 0x4, 0xc: // a given byte
			if len(packed) == 0 {
				return dst, false
			}
			filler, packed = packed[0], packed[1:]
		case 0x5, 0xd:
			filler = '@'
		case 0x6, 0xe:
			filler = ' '
		case 0x7, 0xf:
			filler = 0
		default: // literal bytes
			if count > len(packed) || len(dst)-start+count > size {
				return dst, false
			}
			dst, packed = append(dst, packed[:count]...), packed[count:]
			continue
		}
		if len(dst)-start+count > size {
			return dst, false
		}
		for range count {
			dst = append(dst, filler)
		}
	}
	return dst, len(dst)-start == size
}

// runCount returns the number of bytes a command produces; long reports whether another byte is added to it.
func runCount(command byte, low int) (count int, long bool) {
	switch command {
	case 0x0:
		return 64 + low<<8, true
	case 0x1:
		return 64 + low<<8 + 4096, true
	case 0x2:
		return 96 + low, false
	case 0x4:
		return 18 + low<<8, true
	case 0x5, 0x6, 0x7:
		return 17 + low<<8, true
	case 0x8, 0x9, 0xa, 0xb:
		return 1 + 16*int(command-0x8) + low, false
	case 0xc:
		return 3 + low, false
	case 0xd, 0xe, 0xf:
		return 2 + low, false
	default:
		return 0, false
	}
}

// unpackRoss decompresses Ross Data Compression ("BINARY"): sixteen bits select which of the next items are
// literal bytes and which are runs or copies of earlier output.
func unpackRoss(dst, packed []byte, size int) (out []byte, whole bool) {
	start := len(dst)
	var control, mask uint16
	next := func() int {
		b := int(packed[0])
		packed = packed[1:]
		return b
	}
	for len(packed) > 0 {
		if mask >>= 1; mask == 0 {
			if len(packed) < 3 {
				break
			}
			control, mask = uint16(next())<<8, 0x8000
			control |= uint16(next())
		}
		if control&mask == 0 {
			dst = append(dst, packed[0])
			packed = packed[1:]
			continue
		}
		if len(packed) < 2 {
			return dst, false
		}
		first := next()
		command, count := first>>4, first&0xf
		back, filler := 0, 0
		switch command {
		case 0:
			count, filler = count+3, next()
		case 1:
			count += next()<<4 + 19
			if len(packed) == 0 {
				return dst, false
			}
			filler = next()
		case 2:
			back = count + 3 + next()<<4
			if len(packed) == 0 {
				return dst, false
			}
			count = next() + 16
		default:
			back = count + 3 + next()<<4
			count = command
		}
		if back > len(dst)-start || len(dst)-start+count > size {
			return dst, false
		}
		for range count {
			if back > 0 {
				filler = int(dst[len(dst)-back])
			}
			dst = append(dst, byte(filler))
		}
	}
	return dst, len(dst)-start == size
}
