// A stand-in for NVIDIA's driver, built as libcuda.so.1 where there is none. It answers the calls
// that cuda.core makes, keeps device memory on the host, and runs launches through the CPU builds
// of the kernels. So every line of Python between a kernel and its evidence runs in a test, and
// every failure of a driver can be had on demand. What it says about time means nothing.
//
// KB_DRIVER_FAULT: old, no-device, memory, launch, asynchronous, wrong, none.
// KB_DRIVER_KERNELS: paths of CPU builds, joined by ':'.
// KB_DRIVER_CAPABILITY: 100 for 10.0.
#include <cuda.h>
#include <dlfcn.h>
#include <time.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

#define API extern "C" __attribute__((visibility("default"))) CUresult

namespace {

using Run = int (*)(const unsigned*, void**, int);

struct Kernel {
  std::string name;
  Run run = nullptr;
  int parameters = 0;
};

struct Launch {
  Kernel* kernel;
  unsigned size[6];
  std::vector<unsigned long long> values;
};

struct Graph {
  std::vector<Launch> launches;
};

struct Stream {
  bool pending = false;
  Graph* capturing = nullptr;
};

struct Event {
  double seconds = 0;
  Stream* stream = nullptr;
  bool done = true, timed = true;
};

CUresult sticky = CUDA_SUCCESS;
std::set<Event*> events;
int context_token;

bool fault(const char* name) {
  const char* given = std::getenv("KB_DRIVER_FAULT");
  return given != nullptr && std::strcmp(given, name) == 0;
}

int capability() {
  const char* given = std::getenv("KB_DRIVER_CAPABILITY");
  return given == nullptr ? 100 : std::atoi(given);
}

double now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

void* find(const std::string& symbol) {
  static std::vector<void*> libraries = [] {
    std::vector<void*> opened;
    std::string paths = std::getenv("KB_DRIVER_KERNELS") ? std::getenv("KB_DRIVER_KERNELS") : "";
    size_t start = 0;
    while (start < paths.size()) {
      size_t end = paths.find(':', start);
      if (end == std::string::npos) end = paths.size();
      if (void* one = dlopen(paths.substr(start, end - start).c_str(), RTLD_NOW | RTLD_LOCAL))
        opened.push_back(one);
      start = end + 1;
    }
    return opened;
  }();
  for (void* library : libraries)
    if (void* found = dlsym(library, symbol.c_str())) return found;
  return nullptr;
}

CUresult execute(const Launch& launch) {
  if (fault("asynchronous")) {
    sticky = CUDA_ERROR_ILLEGAL_ADDRESS;  // it will be told by whoever waits
    return CUDA_SUCCESS;
  }
  if (fault("wrong")) return CUDA_SUCCESS;
  std::vector<void*> pointers;
  for (const auto& value : launch.values) pointers.push_back((void*)&value);
  launch.kernel->run(launch.size, pointers.data(), 0);
  return CUDA_SUCCESS;
}

Stream* stream_of(CUstream stream) {
  static Stream standard;  // handles 0, 1 and 2 mean the streams that are always there
  return reinterpret_cast<size_t>(stream) <= 2 ? &standard : reinterpret_cast<Stream*>(stream);
}
Event* event_of(CUevent event) { return reinterpret_cast<Event*>(event); }

void finish(Stream* stream) {
  stream->pending = false;
  for (Event* event : events)
    if (event->stream == stream) event->done = true;
}

}  // namespace

API cuInit(unsigned) { return fault("no-device") ? CUDA_ERROR_NO_DEVICE : CUDA_SUCCESS; }
API cuDriverGetVersion(int* version) {
  *version = fault("old") ? 12040 : 13000;
  return CUDA_SUCCESS;
}
API cuDeviceGetCount(int* count) {
  *count = 1;
  return CUDA_SUCCESS;
}
API cuDeviceGet(CUdevice* device, int) {
  *device = 0;
  return CUDA_SUCCESS;
}
API cuDeviceGetName(char* name, int size, CUdevice) {
  std::strncpy(name, "Simulated driver on a CPU", size);
  return CUDA_SUCCESS;
}
API cuDeviceGetPCIBusId(char* name, int size, CUdevice) {
  std::strncpy(name, "0000:00:00.0", size);
  return CUDA_SUCCESS;
}
API cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice) {
  std::memset(uuid, 7, sizeof *uuid);
  return CUDA_SUCCESS;
}
API cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice) {
  *value = 0;
  if (attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) *value = capability() / 10;
  if (attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR) *value = capability() % 10;
  if (attribute == CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE) *value = 1 << 16;
  if (attribute == CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN) *value = 232448;
  return CUDA_SUCCESS;
}
API cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice) {
  *context = reinterpret_cast<CUcontext>(&context_token);
  return CUDA_SUCCESS;
}
API cuDevicePrimaryCtxRelease_v2(CUdevice) { return CUDA_SUCCESS; }
API cuCtxSetCurrent(CUcontext) { return CUDA_SUCCESS; }
API cuCtxGetCurrent(CUcontext* context) {
  *context = reinterpret_cast<CUcontext>(&context_token);
  return CUDA_SUCCESS;
}
API cuCtxPushCurrent_v2(CUcontext) { return CUDA_SUCCESS; }
API cuCtxPopCurrent_v2(CUcontext* context) { return cuCtxGetCurrent(context); }
API cuCtxGetDevice(CUdevice* device) { return cuDeviceGet(device, 0); }
API cuCtxGetDevice_v2(CUdevice* device, CUcontext) { return cuDeviceGet(device, 0); }
API cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  *least = 0;
  *greatest = -5;
  return CUDA_SUCCESS;
}
API cuCtxSynchronize() { return sticky; }

API cuStreamCreateWithPriority(CUstream* stream, unsigned, int) {
  *stream = reinterpret_cast<CUstream>(new Stream);
  return CUDA_SUCCESS;
}
API cuStreamCreate(CUstream* stream, unsigned flags) {
  return cuStreamCreateWithPriority(stream, flags, 0);
}
API cuStreamDestroy_v2(CUstream) { return CUDA_SUCCESS; }
API cuStreamGetFlags(CUstream, unsigned* flags) {
  *flags = 1;
  return CUDA_SUCCESS;
}
API cuStreamGetPriority(CUstream, int* priority) {
  *priority = 0;
  return CUDA_SUCCESS;
}
API cuStreamGetCtx(CUstream, CUcontext* context) { return cuCtxGetCurrent(context); }
API cuStreamSynchronize(CUstream stream) {
  finish(stream_of(stream));
  return sticky;
}
API cuStreamQuery(CUstream stream) {
  return stream_of(stream)->pending ? CUDA_ERROR_NOT_READY : sticky;
}
API cuStreamWaitEvent(CUstream stream, CUevent event, unsigned) {
  if (Stream* other = event_of(event)->stream) finish(other);
  stream_of(stream)->pending = true;
  return sticky;
}

API cuEventCreate(CUevent* event, unsigned flags) {
  Event* made = new Event;
  made->timed = (flags & CU_EVENT_DISABLE_TIMING) == 0;
  events.insert(made);
  *event = reinterpret_cast<CUevent>(made);
  return CUDA_SUCCESS;
}
API cuEventDestroy_v2(CUevent event) {
  events.erase(event_of(event));
  return CUDA_SUCCESS;
}
API cuEventRecord(CUevent event, CUstream stream) {
  event_of(event)->seconds = now();
  event_of(event)->stream = stream_of(stream);
  event_of(event)->done = false;
  stream_of(stream)->pending = true;
  return sticky;
}
API cuEventQuery(CUevent event) {
  if (sticky != CUDA_SUCCESS) return sticky;
  return event_of(event)->done ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}
API cuEventSynchronize(CUevent event) {
  if (Stream* stream = event_of(event)->stream) finish(stream);
  return sticky;
}
API cuEventElapsedTime_v2(float* milliseconds, CUevent start, CUevent stop) {
  if (!event_of(start)->timed || !event_of(stop)->timed) return CUDA_ERROR_INVALID_HANDLE;
  if (!event_of(start)->done || !event_of(stop)->done) return CUDA_ERROR_NOT_READY;
  *milliseconds = float((event_of(stop)->seconds - event_of(start)->seconds) * 1e3);
  return sticky;
}

API cuMemAlloc_v2(CUdeviceptr* pointer, size_t size) {
  if (fault("memory")) return CUDA_ERROR_OUT_OF_MEMORY;
  *pointer = reinterpret_cast<CUdeviceptr>(aligned_alloc(256, (size + 511) / 256 * 256));
  return CUDA_SUCCESS;
}
API cuMemFree_v2(CUdeviceptr pointer) {
  std::free(reinterpret_cast<void*>(pointer));
  return CUDA_SUCCESS;
}
API cuMemAllocHost_v2(void** pointer, size_t size) {
  *pointer = aligned_alloc(256, (size + 511) / 256 * 256);
  return CUDA_SUCCESS;
}
API cuMemFreeHost(void* pointer) {
  std::free(pointer);
  return CUDA_SUCCESS;
}
API cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, size_t size, CUstream) {
  std::memcpy(reinterpret_cast<void*>(to), from, size);
  return sticky;
}
API cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, size_t size, CUstream) {
  std::memcpy(to, reinterpret_cast<void*>(from), size);
  return sticky;
}
API cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream) {
  std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<void*>(from), size);
  return sticky;
}
API cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t size, CUstream) {
  std::memset(reinterpret_cast<void*>(to), value, size);
  return sticky;
}

API cuLibraryLoadData(CUlibrary* library, const void*, CUjit_option*, void**, unsigned,
                      CUlibraryOption*, void**, unsigned) {
  *library = reinterpret_cast<CUlibrary>(new int(0));
  return CUDA_SUCCESS;
}
API cuLibraryUnload(CUlibrary) { return CUDA_SUCCESS; }
API cuLibraryGetKernel(CUkernel* kernel, CUlibrary, const char* name) {
  Kernel* made = new Kernel;
  made->name = name;
  made->run = reinterpret_cast<Run>(find("kb_run_" + made->name));
  if (made->run == nullptr) return CUDA_ERROR_NOT_FOUND;
  made->parameters = reinterpret_cast<int (*)()>(find("kb_parameters_" + made->name))();
  *kernel = reinterpret_cast<CUkernel>(made);
  return CUDA_SUCCESS;
}
API cuKernelGetFunction(CUfunction* function, CUkernel kernel) {
  *function = reinterpret_cast<CUfunction>(kernel);
  return CUDA_SUCCESS;
}
API cuKernelGetLibrary(CUlibrary* library, CUkernel) {
  *library = nullptr;
  return CUDA_SUCCESS;
}
API cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** parameters,
                     void**) {
  if (fault("launch")) return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  Launch launch{reinterpret_cast<Kernel*>(function),
                {config->gridDimX, config->gridDimY, config->gridDimZ, config->blockDimX,
                 config->blockDimY, config->blockDimZ},
                {}};
  for (int i = 0; i < launch.kernel->parameters; ++i) {
    unsigned long long value = 0;
    std::memcpy(&value, parameters[i], sizeof value);
    launch.values.push_back(value);
  }
  Stream* stream = stream_of(config->hStream);
  if (stream->capturing != nullptr) {
    stream->capturing->launches.push_back(launch);
    return CUDA_SUCCESS;
  }
  stream->pending = true;
  return execute(launch);
}
API cuLaunchKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                   unsigned by, unsigned bz, unsigned shared, CUstream stream, void** parameters,
                   void** extra) {
  CUlaunchConfig config{};
  config.gridDimX = gx, config.gridDimY = gy, config.gridDimZ = gz;
  config.blockDimX = bx, config.blockDimY = by, config.blockDimZ = bz;
  config.sharedMemBytes = shared, config.hStream = stream;
  return cuLaunchKernelEx(&config, function, parameters, extra);
}

API cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode) {
  stream_of(stream)->capturing = new Graph;
  return CUDA_SUCCESS;
}
API cuStreamEndCapture(CUstream stream, CUgraph* graph) {
  *graph = reinterpret_cast<CUgraph>(stream_of(stream)->capturing);
  stream_of(stream)->capturing = nullptr;
  return CUDA_SUCCESS;
}
API cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status) {
  *status = stream_of(stream)->capturing ? CU_STREAM_CAPTURE_STATUS_ACTIVE
                                         : CU_STREAM_CAPTURE_STATUS_NONE;
  return CUDA_SUCCESS;
}
API cuStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id,
                              CUgraph* graph, const CUgraphNode**, const CUgraphEdgeData**,
                              size_t* count) {
  cuStreamIsCapturing(stream, status);
  if (id) *id = 1;
  if (graph) *graph = reinterpret_cast<CUgraph>(stream_of(stream)->capturing);
  if (count) *count = 0;
  return CUDA_SUCCESS;
}
API cuGraphInstantiateWithParams(CUgraphExec* made, CUgraph graph,
                                 CUDA_GRAPH_INSTANTIATE_PARAMS* told) {
  *made = reinterpret_cast<CUgraphExec>(graph);
  told->result_out = CUDA_GRAPH_INSTANTIATE_SUCCESS;
  return CUDA_SUCCESS;
}
API cuGraphInstantiateWithFlags(CUgraphExec* made, CUgraph graph, unsigned long long) {
  *made = reinterpret_cast<CUgraphExec>(graph);
  return CUDA_SUCCESS;
}
API cuGraphLaunch(CUgraphExec graph, CUstream stream) {
  stream_of(stream)->pending = true;
  for (const Launch& launch : reinterpret_cast<Graph*>(graph)->launches) execute(launch);
  return CUDA_SUCCESS;
}
API cuGraphExecDestroy(CUgraphExec) { return CUDA_SUCCESS; }
API cuGraphDestroy(CUgraph) { return CUDA_SUCCESS; }

// NVRTC asks for private tables; the first word of one is its size, and this one holds nothing.
API cuGetExportTable(const void** table, const CUuuid*) {
  static const size_t empty[8] = {sizeof(size_t)};
  *table = empty;
  return CUDA_SUCCESS;
}

API cuGetErrorName(CUresult code, const char** name) {
  static std::map<int, const char*> names = {
      {2, "CUDA_ERROR_OUT_OF_MEMORY"},
      {500, "CUDA_ERROR_NOT_FOUND"},
      {600, "CUDA_ERROR_NOT_READY"},
      {700, "CUDA_ERROR_ILLEGAL_ADDRESS"},
      {701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"}};
  *name = names.count(code) ? names[code] : "CUDA_ERROR_UNKNOWN";
  return CUDA_SUCCESS;
}
API cuGetErrorString(CUresult code, const char** text) { return cuGetErrorName(code, text); }

// Versioned names first, as the real driver resolves them.
API cuGetProcAddress_v2(const char* symbol, void** function, int, cuuint64_t,
                        CUdriverProcAddressQueryResult* status) {
  static void* own = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  for (const char* suffix : {"_v3", "_v2", ""}) {
    *function = dlsym(own, (std::string(symbol) + suffix).c_str());
    if (*function != nullptr) break;
  }
  if (std::getenv("KB_DRIVER_TRACE") && *function == nullptr) fprintf(stderr, "no %s\n", symbol);
  if (status)
    *status = *function ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
