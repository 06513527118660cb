"""The five reproduced studies, one per folder, made with the kit `ackclock.study`."""
