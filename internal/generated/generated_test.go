// Package generated_test sees that the generated code of the module is what its sources give. It does what `make generate`
// does with buf, but in a second and without building buf: it compiles the protobuf files and runs the same plugins.
package generated_test

import (
	"bytes"
	"context"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

const (
	module = "github.com/novastream/nova"
	root   = "../.."
)

func TestGeneratedCodeIsUpToDate(t *testing.T) {
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil { // it names the versions of the plugins
		t.Fatal(err)
	}
	want := map[string]string{} // by path
	folders := sources(t)
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		for _, plugin := range []string{"protoc-gen-go", "protoc-gen-go-grpc"} {
			for _, f := range generate(t, plugin, folders[folder]) {
				want[f.GetName()] = f.GetContent()
			}
		}
	}
	for name, text := range want {
		have, err := os.ReadFile(filepath.Join(root, name))
		if err != nil || string(have) != text {
			t.Errorf("%s is not what its source gives (%v); run make generate", name, err)
		}
	}
	for _, name := range generatedFiles(t) {
		if _, ok := want[name]; !ok {
			t.Errorf("%s has no source any more; remove it", name)
		}
	}
}

// sources are the protobuf files of the module by folder, each named as imports name it.
func sources(t *testing.T) map[string][]string {
	t.Helper()
	folders := map[string][]string{}
	tree := os.DirFS(filepath.Join(root, "proto"))
	err := fs.WalkDir(tree, ".", func(name string, _ fs.DirEntry, err error) error {
		if path.Ext(name) == ".proto" {
			folders[path.Dir(name)] = append(folders[path.Dir(name)], name)
		}
		return err
	})
	if err != nil || len(folders) == 0 {
		t.Fatalf("protobuf files: %d folders, %v", len(folders), err)
	}
	return folders
}

// generate runs one plugin over the files of one folder.
func generate(t *testing.T, plugin string, names []string) []*pluginpb.CodeGeneratorResponse_File {
	t.Helper()
	compiler := protocompile.Compiler{
		Resolver: protocompile.WithStandardImports(&protocompile.SourceResolver{
			ImportPaths: []string{filepath.Join(root, "proto")},
		}),
		SourceInfoMode: protocompile.SourceInfoStandard,
	}
	files, err := compiler.Compile(context.Background(), names...)
	if err != nil {
		t.Fatal(err)
	}
	request := &pluginpb.CodeGeneratorRequest{FileToGenerate: names, Parameter: proto.String("module=" + module)}
	seen := map[string]bool{}
	for _, f := range files {
		request.ProtoFile = withImports(request.ProtoFile, f, seen)
	}
	input, err := proto.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	var output bytes.Buffer
	run := exec.Command("go", "tool", plugin)
	run.Dir, run.Stdin, run.Stdout, run.Stderr = root, bytes.NewReader(input), &output, os.Stderr
	if err := run.Run(); err != nil {
		t.Fatalf("%s: %v", plugin, err)
	}
	var response pluginpb.CodeGeneratorResponse
	if err := proto.Unmarshal(output.Bytes(), &response); err != nil || response.Error != nil {
		t.Fatalf("%s: %v %s", plugin, err, response.GetError())
	}
	return response.File
}

// withImports adds a file after all that it imports.
func withImports(
	list []*descriptorpb.FileDescriptorProto, f protoreflect.FileDescriptor, seen map[string]bool,
) []*descriptorpb.FileDescriptorProto {
	if seen[f.Path()] {
		return list
	}
	seen[f.Path()] = true
	for i := range f.Imports().Len() {
		list = withImports(list, f.Imports().Get(i).FileDescriptor, seen)
	}
	return append(list, protodesc.ToFileDescriptorProto(f))
}

// generatedFiles are the files that a plugin once wrote.
func generatedFiles(t *testing.T) (names []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, entry fs.DirEntry, err error) error {
		if entry != nil && entry.IsDir() && strings.HasPrefix(entry.Name(), ".") && name != "." {
			return fs.SkipDir
		}
		if strings.HasSuffix(name, ".pb.go") {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
