package touchline.api.app;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import touchline.media.worker.WorkerIsolation;
import touchline.media.worker.WorkerJvm;
import touchline.media.worker.WorkerLaunch;

/** Workers of servers in the JVM of the tests, which start from an AOT cache. */
final class TestWorkers implements ServerIsolation.Host {
    /** What this host offers does not change: tried once a JVM, by the first server that asks. */
    private static final Map<Boolean, WorkerIsolation> ISOLATION = new ConcurrentHashMap<>();

    @Override
    public WorkerIsolation isolation(WorkerLaunch launch, boolean withGpu) {
        return ISOLATION.computeIfAbsent(withGpu, gpu -> WorkerIsolation.probe(launch, gpu));
    }

    @Override
    public WorkerJvm jvm() {
        return ServerClasses.ofWorkers();
    }
}
