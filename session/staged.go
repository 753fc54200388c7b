package session

import (
	"io"

	"github.com/sdcdesk/sdcdesk/engine/fileio"
)

// staging gathers files that are to appear together or not at all.
type staging struct {
	options fileio.WriteOptions
	files   []*fileio.Staged
}

// add stages a file.
func (s *staging) add(path string, write func(io.Writer) error) error {
	file, err := fileio.Stage(path, s.options, write)
	if err == nil {
		s.files = append(s.files, file)
	}
	return err
}

// place gives all files their names. Where one fails, those that are new are
// removed again.
func (s *staging) place() error {
	return fileio.PlaceAll(s.files)
}

// discard removes what is not placed.
func (s *staging) discard() {
	for _, file := range s.files {
		file.Discard()
	}
}

// writeFile stages and places one file.
func writeFile(path string, force bool, source string, write func(io.Writer) error) error {
	s := staging{options: fileio.WriteOptions{Force: force, Source: source}}
	defer s.discard()
	if err := s.add(path, write); err != nil {
		return err
	}
	return s.place()
}
