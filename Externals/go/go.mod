module assay.example/external

go 1.19
