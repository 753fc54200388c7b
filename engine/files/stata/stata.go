package stata

import (
	"bytes"
	"context"
	"encoding/binary"
	"strconv"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// Format reads and writes Stata files.
type Format struct{}

// versionSetting is the name of the setting for the format version.
const versionSetting = "version"

// Info describes the file type: formats below 118 do not declare their encoding, and there are extended missing
// values.
func (Format) Info() statfile.Info {
	return statfile.Info{Name: "dta", Program: "a Stata file (dta)", Endings: []string{".dta"}, Encoded: true,
		Declares: true, Labelled: true, FileLabel: true, Notes: true}
}

// opening is the beginning of files from format 117 on, before the version.
const opening = "<stata_dta><header><release>"

// Recognise reports whether a file begins like a Stata file.
func (Format) Recognise(_ context.Context, in *statfile.Source) (statfile.Settings, bool, error) {
	head := in.Head()
	if version, ok := bytes.CutPrefix(head, []byte(opening)); ok && len(version) >= 3 {
		return statfile.Settings{versionSetting: string(version[:3])}, true, nil
	}
	if bytes.HasPrefix(head, []byte("<stata_dta>")) {
		return statfile.Settings{}, true, nil
	}
	if len(head) < 4 || head[0] < oldest || head[0] > newestPlain || head[1] != 1 && head[1] != 2 || head[2] != 1 ||
		head[3] > 1 {
		return nil, false, nil
	}
	return statfile.Settings{versionSetting: strconv.Itoa(int(head[0]))}, true, nil
}

// The supported formats. Up to 115 they are plain records, from 117 on their parts have tags.
const (
	oldest      = 104
	newestPlain = 115
	firstTagged = 117
	unicodeFrom = 118
	newest      = 119
)

// layout holds the sizes of the parts of a format.
type layout struct {
	version int
	order   binary.ByteOrder

	name       int // bytes of the name of a variable or label table
	format     int // bytes of a display format
	labelBytes int // bytes of a variable or dataset label
	typ        int // bytes of a storage type
	sort       int // bytes of an entry of the sort order
	stamp      int // bytes of the time stamp
	expansion  int // bytes of the length of a characteristic; 0 if there are none
}

func layoutOf(version int, order binary.ByteOrder) layout {
	l := layout{version: version, order: order, name: 33, format: 49, labelBytes: 81, typ: 1, sort: 2, stamp: 18,
		expansion: 4}
	switch {
	case version >= unicodeFrom:
		l.name, l.format, l.labelBytes = 129, 57, 321
	case version < 110:
		l.name, l.format = 9, 12
	case version < 114:
		l.format = 12
	}
	switch {
	case version < 105:
		l.format, l.labelBytes, l.stamp, l.expansion = 7, 32, 0, 0
	case version < 108:
		l.labelBytes, l.expansion = 32, 2
	case version < 110:
		l.expansion = 2
	case version >= firstTagged:
		l.typ = 2
	}
	if version >= newest {
		l.sort = 4
	}
	return l
}

// tagged reports whether parts have tags.
func (l *layout) tagged() bool { return l.version >= firstTagged }

// storage is the storage type of a variable.
type storage struct {
	kind  storageKind
	width int // bytes of a record
}

type storageKind uint8

const (
	textStorage storageKind = iota
	longTextStorage
	byteStorage
	intStorage
	longStorage
	floatStorage
	doubleStorage
)

// numeric returns the storage type of numbers.
func numeric(kind storageKind) storage {
	return storage{kind,
		map[storageKind]int{byteStorage: 1, intStorage: 2, longStorage: 4, floatStorage: 4, doubleStorage: 8}[kind]}
}

// String returns the storage type in Stata's notation.
func (s storage) String() string {
	switch s.kind {
	case byteStorage:
		return "byte"
	case intStorage:
		return "int"
	case longStorage:
		return "long"
	case floatStorage:
		return "float"
	case doubleStorage:
		return "double"
	case longTextStorage:
		return "strL"
	default:
		return "str" + strconv.Itoa(s.width)
	}
}

// The codes of the storage types byte to double.
const (
	letterTypes    = "bilfd" // below 111
	firstType      = 251     // 111 to 115: byte; others increase
	firstTagged16  = 65530   // from 117: byte; others decrease
	longTextType   = 32768   // from 117
	longestText    = 2045    // bytes of a text other than strL, from 117
	longestText114 = 244
)

// storageOf returns the storage type for a code.
func (l *layout) storageOf(code int) (storage, bool) {
	kind := -1
	switch {
	case l.tagged():
		switch {
		case code == longTextType:
			return storage{longTextStorage, 8}, true
		case code <= longestText:
			return storage{textStorage, code}, true
		}
		kind = firstTagged16 - code
	case l.version >= 111:
		if code <= longestText114 {
			return storage{textStorage, code}, true
		}
		kind = code - firstType
	default:
		if code >= 0x7f {
			return storage{textStorage, code - 0x7f}, true
		}
		kind = bytes.IndexByte([]byte(letterTypes), byte(code))
	}
	if kind < 0 || kind >= len(letterTypes) {
		return storage{}, false
	}
	return numeric(byteStorage + storageKind(kind)), true
}
