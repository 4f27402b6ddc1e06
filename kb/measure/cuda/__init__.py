"""Direct CUDA on the same terms as JAX: kernels, their baselines, and timing boundaries.

Only `backend`, `vendor` and `clocks` talk to a driver, and each imports it late; the rest
compiles, runs the sources on the CPU, or judges, and needs no GPU.
"""
