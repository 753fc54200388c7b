package session

import (
	"io"
	"os"

	"github.com/sdcdesk/sdcdesk/engine/fileio"
)

// staging gathers files that are to appear together or not at all.
type staging struct {
	options fileio.WriteOptions
	files   []*fileio.Staged
	paths   []string
}

// add stages a file.
func (s *staging) add(path string, write func(io.Writer) error) error {
	file, err := fileio.Stage(path, s.options, write)
	if err == nil {
		s.files, s.paths = append(s.files, file), append(s.paths, path)
	}
	return err
}

// place gives all files their names. Where one fails, those that are new are
// removed again.
func (s *staging) place() error {
	var made []string
	for i, file := range s.files {
		_, err := os.Lstat(s.paths[i])
		isNew := os.IsNotExist(err)
		if err := file.Place(); err != nil {
			for _, path := range made {
				_ = os.Remove(path)
			}
			return err
		}
		if isNew {
			made = append(made, s.paths[i])
		}
	}
	return nil
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
