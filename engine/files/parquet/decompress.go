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

// readable reports whether pages of a codec can be decompressed.
func readable(codec format.CompressionCodec) bool {
	switch codec {
	case format.Uncompressed, format.Snappy, format.Gzip, format.Brotli, format.Zstd, format.Lz4Raw:
		return true
	default:
		return false
	}
}

// unzstd decompresses into the memory given and no more.
var unzstd = sync.OnceValue(func() *zstd.Decoder {
	decoder, err := zstd.NewReader(nil, zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		panic(err) // the options are constant
	}
	return decoder
})

// decompressed fills out, of the size that the page claims, with what is
// compressed. Nothing beyond it is decompressed, whatever the bytes say.
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
