package sas

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// A page whose pointers overlap claims more than it contains: each pointer could become a long row.
func TestPointersToTheSameBytes(t *testing.T) {
	const length = 200
	p := &pages{fileHeader: &fileHeader{order: binary.LittleEndian, little: true},
		in: statfile.NewSource("a", bytes.NewReader(nil), 0)}
	page := make([]byte, 512)
	for count := range 4 {
		binary.LittleEndian.PutUint16(page[20:], uint16(count))
		for i := range count {
			binary.LittleEndian.PutUint32(page[24+12*i:], 300)
			binary.LittleEndian.PutUint32(page[28+12*i:], length)
		}
		found := 0
		err := p.pointers(page, 0, func(pointer) error { found++; return nil })
		if whole := count*length <= len(page); whole != (err == nil) || whole && found != count ||
			err != nil && !errors.Is(err, statfile.ErrDamaged) {
			t.Errorf("%d pointers: %d found, %v", count, found, err)
		}
	}
}

// A page that has fewer rows than were counted is damaged, because later rows would move.
func TestPageWithFewerRows(t *testing.T) {
	p := &pages{fileHeader: &fileHeader{order: binary.LittleEndian, little: true, pageLength: 512},
		in:        statfile.NewSource("a", bytes.NewReader(make([]byte, 512)), 512),
		rowLength: 8, withRows: []rowPage{{rows: 2}}}
	if err := p.decode(context.Background(), &table{stride: 8}, nil, p.blocksOf(2, mostRows), nil); !errors.Is(err, statfile.ErrDamaged) {
		t.Error(err)
	}
}

// Formats that show a part of a date are date formats.
func TestKindsOfFormats(t *testing.T) {
	for format, want := range map[string]statfile.Kind{"YEAR4": statfile.Date, "MONTH2": statfile.Date,
		"DATE9": statfile.Date, "YYMMDDD10": statfile.Date, "DATETIME20": statfile.DateTime,
		"E8601DT19": statfile.DateTime, "TIME8": statfile.Time, "HHMM5": statfile.Time, "BEST12": statfile.Number,
		"": statfile.Number, "YEARS": statfile.Number} {
		if got := kindOf(format); got != want {
			t.Errorf("%s is %d, expected %d", format, got, want)
		}
	}
}

// Names, labels and formats that do not fit into the descriptions follow them, formats in separate records.
func TestLongLabelsOfTransportFiles(t *testing.T) {
	for kind, content := range map[string]string{
		"LABELV8": "\x00\x02\x00\x04\x00\x05namelabel",
		"LABELV9": "\x00\x02\x00\x04\x00\x05\x00\x06\x00\x03namelabelDATE9.inf",
	} {
		content += strings.Repeat(" ", recordSize-len(content)) + "next"
		in := statfile.NewSource("a", strings.NewReader(content), int64(len(content)))
		r := &reader{in.Cursor(0, binary.BigEndian)}
		m := &member{names: make([]string, 2), labels: make([]string, 2), format: make([]string, 2)}
		m.longLabels(r, kind+" HEADER RECORD!!!!!!!1"+strings.Repeat(" ", 31))
		if want := map[string]string{"LABELV9": "DATE9"}[kind]; r.Err() != nil || m.names[1] != "name" ||
			m.labels[1] != "label" || m.format[1] != want || string(r.Take(4)) != "next" {
			t.Errorf("%s: %+v, %v", kind, m, r.Err())
		}
	}
}
