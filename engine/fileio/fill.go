package fileio

import "github.com/sdcdesk/sdcdesk/engine/microdata"

type unsigned interface{ ~uint8 | ~uint16 | ~uint32 }

// fill writes the codes of a chunk, mapped, into those of a column from a
// record on.
func fill(codes microdata.Codes, start int, chunk microdata.Codes, mapping []uint32) {
	end := start + chunk.Len()
	switch {
	case codes.Uint8() != nil:
		fillInto(codes.Uint8()[start:end], chunk, mapping)
	case codes.Uint16() != nil:
		fillInto(codes.Uint16()[start:end], chunk, mapping)
	default:
		fillInto(codes.Uint32()[start:end], chunk, mapping)
	}
}

func fillInto[To unsigned](to []To, chunk microdata.Codes, mapping []uint32) {
	switch {
	case chunk.Uint8() != nil:
		mapInto(to, chunk.Uint8(), mapping)
	case chunk.Uint16() != nil:
		mapInto(to, chunk.Uint16(), mapping)
	default:
		mapInto(to, chunk.Uint32(), mapping)
	}
}

func mapInto[To, From unsigned](to []To, from []From, mapping []uint32) {
	for i, code := range from {
		to[i] = To(mapping[code])
	}
}
