package parquet

import (
	"bytes"
	"io"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"
)

// readable reports whether a codec is supported.
func readable(codec format.CompressionCodec) bool {
	switch codec {
	case format.Uncompressed, format.Snappy, format.Gzip, format.Brotli, format.Zstd, format.Lz4Raw:
		return true
	default:
		return false
	}
}

// unzstd decompresses into the given memory only.
var unzstd = sync.OnceValue(func() *zstd.Decoder {
	decoder, err := zstd.NewReader(nil, zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		panic(err) // unreachable: the options are constant
	}
	return decoder
})

// decompressed decompresses into out, whose size is claimed by the page, and never beyond it.
func decompressed(out, compressed []byte, codec format.CompressionCodec) error {
	n, err := 0, error(nil)
	switch codec {
	case format.Uncompressed:
		n = copy(out, compressed)
	case format.Snappy:
		if n, err = snappy.DecodedLen(compressed); err == nil && n == len(out) {
			_, err = snappy.Decode(out, compressed)
		}
	case format.Gzip:
		var r *gzip.Reader
		if r, err = gzip.NewReader(bytes.NewReader(compressed)); err == nil {
			n, err = io.ReadFull(r, out)
		}
	case format.Brotli:
		n, err = io.ReadFull(brotli.NewReader(bytes.NewReader(compressed)), out)
	case format.Zstd:
		var all []byte
		all, err = unzstd().DecodeAll(compressed, out[:0:len(out)])
		n = len(all)
	case format.Lz4Raw:
		n, err = lz4.UncompressBlock(compressed, out)
	}
	if err != nil || n != len(out) {
		return errPage
	}
	return nil
}
