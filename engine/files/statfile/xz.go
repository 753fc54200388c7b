package statfile

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"hash/crc64"
	"io"

	"github.com/ulikunitz/xz/lzma"
)

// The parts of an .xz file (The .xz File Format, version 1.2.0): a header, blocks, an index of
// the blocks with their sizes, and a footer that says where the index begins.
const (
	xzHeader   = 12
	xzFooter   = 12
	xzEnd      = "YZ"
	lzma2      = 0x21
	xzMostDict = 64 << 20 // that of xz -9, which R takes
)

var errXZ = errors.New("the xz file is damaged, or compressed in a way that is not known")

// xzReader reads the blocks of an .xz file of one stream. A dictionary as long as a block says
// would take memory that nothing explains: it has no more than the index says that the block
// holds, so that a file which says less than there is cannot be read.
type xzReader struct {
	content *io.SectionReader
	newHash func() hash.Hash // of what a block holds; nil: none
	blocks  []xzBlock        // that are still to come
	block   io.Reader        // nil: between blocks
	sum     hash.Hash        // of the block
	check   []byte           // what it is to be
	left    uint64           // bytes of the block to come
}

// xzBlock is a block as the index has it.
type xzBlock struct{ at, packed, holds uint64 }

// newXZ reads the header and the index.
func newXZ(content *io.SectionReader) (io.ReadCloser, error) {
	x := &xzReader{content: content}
	size := uint64(content.Size())
	head, foot := make([]byte, xzHeader), make([]byte, xzFooter)
	if size < xzHeader+xzFooter || !fillFrom(content, head, 0) || !fillFrom(content, foot, size-xzFooter) ||
		string(foot[10:]) != xzEnd || head[6] != 0 || !bytes.Equal(head[6:8], foot[8:10]) {
		return nil, errXZ
	}
	newHash, known := map[byte]func() hash.Hash{0: nil, 1: func() hash.Hash { return crc32.NewIEEE() },
		4: func() hash.Hash { return crc64.New(crc64.MakeTable(crc64.ECMA)) }, 10: sha256.New}[head[7]]
	if x.newHash = newHash; !known {
		return nil, errXZ
	}
	length := (uint64(binary.LittleEndian.Uint32(foot[4:])) + 1) * 4
	if length > size-xzHeader-xzFooter {
		return nil, errXZ
	}
	return x, x.readIndex(size-xzFooter-length, length)
}

// fillFrom reads bytes at a place, which are to be there.
func fillFrom(content *io.SectionReader, into []byte, at uint64) bool {
	n, _ := content.ReadAt(into, int64(at))
	return n == len(into)
}

// readIndex reads the sizes of the blocks. An entry has at least two bytes.
func (x *xzReader) readIndex(at, length uint64) error {
	in := bufio.NewReader(io.NewSectionReader(x.content, int64(at), int64(length)))
	zero, _ := in.ReadByte()
	count, err := binary.ReadUvarint(in)
	if err != nil || zero != 0 || count > length/2 {
		return errXZ
	}
	place := uint64(xzHeader)
	for range count {
		packed, err := binary.ReadUvarint(in)
		if err != nil || packed == 0 || packed > at-place {
			return errXZ
		}
		holds, err := binary.ReadUvarint(in)
		if err != nil {
			return errXZ
		}
		x.blocks = append(x.blocks, xzBlock{place, packed, holds})
		if place += padded(packed); place > at {
			return errXZ
		}
	}
	if place != at {
		return errXZ
	}
	return nil
}

// padded returns the length of a block with the zeros before its check, which the index leaves out.
func padded(packed uint64) uint64 { return (packed + 3) &^ 3 }

// open begins the next block.
func (x *xzReader) open() error {
	b := x.blocks[0]
	x.blocks = x.blocks[1:]
	head := make([]byte, 4*(1+255))
	n, _ := x.content.ReadAt(head[:min(uint64(len(head)), b.packed)], int64(b.at))
	length := 4 * (int(head[0]) + 1)
	if n < length || length < 8 || crc32.ChecksumIEEE(head[:length-4]) != binary.LittleEndian.Uint32(head[length-4:]) {
		return errXZ
	}
	const sizes = 0xc0 // the flags of the sizes that the index has, too
	in := bytes.NewReader(head[2 : length-4])
	for flag := byte(0x40); flag != 0; flag <<= 1 {
		if head[1]&flag != 0 {
			if _, err := binary.ReadUvarint(in); err != nil {
				return errXZ
			}
		}
	}
	filter := make([]byte, 3)
	if _, err := io.ReadFull(in, filter); err != nil || head[1]&^sizes != 0 || filter[0] != lzma2 || filter[1] != 1 ||
		filter[2] > 40 {
		return errXZ
	}
	dictionary := uint64(2|filter[2]&1) << (filter[2]/2 + 11)
	if dictionary = min(dictionary, max(b.holds, lzma.MinDictCap)); dictionary > xzMostDict {
		return errXZ
	}
	check := 0
	if x.sum = nil; x.newHash != nil {
		x.sum = x.newHash()
		check = x.sum.Size()
	}
	if b.packed < uint64(length+check) {
		return errXZ
	}
	end := b.at + b.packed - uint64(check)
	if x.check = make([]byte, check); !fillFrom(x.content, x.check, b.at+padded(b.packed)-uint64(check)) {
		return errXZ
	}
	start := b.at + uint64(length)
	packed := bufio.NewReader(io.NewSectionReader(x.content, int64(start), int64(end-start)))
	block, err := lzma.Reader2Config{DictCap: int(dictionary)}.NewReader2(packed)
	if err != nil {
		return fmt.Errorf("%w: %w", errXZ, err)
	}
	x.block, x.left = block, b.holds
	return nil
}

// Read reads on, block after block.
func (x *xzReader) Read(p []byte) (n int, err error) {
	for x.block == nil {
		if len(x.blocks) == 0 {
			return 0, io.EOF
		}
		if err := x.open(); err != nil {
			return 0, err
		}
	}
	n, err = x.block.Read(p)
	if uint64(n) > x.left {
		return 0, errXZ
	}
	x.left -= uint64(n)
	if x.sum != nil {
		x.sum.Write(p[:n])
	}
	if err == nil {
		return n, nil
	}
	if !errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || x.left > 0 || !x.summed() {
		return n, errXZ
	}
	x.block = nil
	return n, nil
}

// summed reports whether the block is what its check says; crc32 and crc64 stand with the
// lowest byte first.
func (x *xzReader) summed() bool {
	if x.sum == nil {
		return true
	}
	switch sum := x.sum.(type) {
	case hash.Hash32:
		return binary.LittleEndian.Uint32(x.check) == sum.Sum32()
	case hash.Hash64:
		return binary.LittleEndian.Uint64(x.check) == sum.Sum64()
	}
	return bytes.Equal(x.sum.Sum(nil), x.check)
}

// Close does nothing.
func (x *xzReader) Close() error { return nil }
