package iotest

import "github.com/novastream/nova/io/meta"

// refused does an operation with an argument that breaks the contract.
func (p *parity) refused(o metaOp, view any) (err error) {
	get, byIndex := freshGets(view)
	switch o.name {
	case "put", "put indexed", "put ephemeral":
		_, err = p.write(o, view, meta.Any())
	case "delete":
		err = view.(writes).Delete(p.Ctx, o.key, meta.Any())
	case "get":
		_, err = get(p.Ctx, o.key)
	case "get by index":
		_, err = byIndex(p.Ctx, o.index, o.from)
	case "list":
		_, err = view.(meta.Naming).Fresh().List(p.Ctx, o.prefix, "", o.limit)
	case "floor":
		_, err = view.(meta.Metastore).Fresh().FloorGet(p.Ctx, o.prefix, o.from)
	case "scan":
		_, err = view.(meta.Metastore).Fresh().Scan(p.Ctx, o.prefix, o.from, o.limit)
	case "delete children":
		err = view.(meta.Metastore).DeleteChildren(p.Ctx, o.prefix)
	case "delete range":
		err = view.(meta.Metastore).DeleteRange(p.Ctx, o.prefix, o.from, o.to)
	case "floor index":
		_, err = view.(meta.Metastore).Fresh().FloorIndex(p.Ctx, o.index, o.prefix, o.from)
	default:
		_, err = view.(meta.Metastore).Fresh().ScanIndex(p.Ctx, o.index, o.prefix, o.from, o.limit)
	}
	return err
}
