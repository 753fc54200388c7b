package stata

import (
	"bytes"
	"context"
	"encoding/binary"
	"strconv"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// Format reads and writes the files of Stata.
type Format struct{}

// versionSetting is the name of the setting that says the format of the file.
const versionSetting = "version"

// Info describes the kind of file: those below format 118 do not say their character set,
// and missing values have letters.
func (Format) Info() statfile.Info {
	return statfile.Info{Name: "dta", Program: "a Stata file (dta)", Endings: []string{".dta"}, Encoded: true,
		Declares: true, Labelled: true, FileLabel: true, Notes: true}
}

// How files of format 117 on start, before their version.
const opening = "<stata_dta><header><release>"

// Recognise reports whether a file starts as those of Stata do.
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

// The formats that are read. Those up to 115 are bare records, those from 117 on
// have tags around their parts.
const (
	oldest      = 104
	newestPlain = 115
	firstTagged = 117
	unicodeFrom = 118
	newest      = 119
)

// layout is how long the parts of a format are.
type layout struct {
	version int
	order   binary.ByteOrder

	name       int // bytes of a name of a variable or of value labels
	format     int // of a display format
	labelBytes int // of a label of a variable or of the file
	typ        int // of a storage type
	sort       int // of an entry of the order of sorting
	stamp      int // of the time of writing
	expansion  int // of the length of a characteristic; 0: there are none
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

// tagged reports whether tags stand around the parts.
func (l *layout) tagged() bool { return l.version >= firstTagged }

// storage is how the values of a variable are stored.
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

// numeric returns the storage of numbers of a kind.
func numeric(kind storageKind) storage {
	return storage{kind,
		map[storageKind]int{byteStorage: 1, intStorage: 2, longStorage: 4, floatStorage: 4, doubleStorage: 8}[kind]}
}

// String returns the storage in the words of Stata.
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

// The codes of storage types, from byte to double.
const (
	letterTypes    = "bilfd" // below 111
	firstType      = 251     // 111 to 115: byte; the others follow
	firstTagged16  = 65530   // 117 on: byte; the others go down
	longTextType   = 32768   // 117 on
	longestText    = 2045    // of a text that is no strL, 117 on
	longestText114 = 244
)

// storageOf returns the storage that a code stands for.
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
