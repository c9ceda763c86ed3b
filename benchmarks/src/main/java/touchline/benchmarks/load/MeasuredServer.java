package touchline.benchmarks.load;

import java.io.IOException;
import java.net.URI;
import java.util.List;

/** A server in a process of its own, with streams to push to and to watch. */
public interface MeasuredServer extends AutoCloseable {
    String name();

    ProcessHandle process();

    /** Where streams are pushed and watched, as many as were asked for. */
    List<Stream> streams();

    /** Stops the process and removes its folder. */
    @Override
    void close() throws IOException;

    /**
     * @param push RTMP address with the key
     * @param watch HLS address
     */
    record Stream(URI push, URI watch) {}
}
