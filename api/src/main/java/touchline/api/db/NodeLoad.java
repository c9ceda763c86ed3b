package touchline.api.db;

import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;

/** How busy a node is, sent with each heartbeat. Any thread. */
public final class NodeLoad {
    private volatile DoubleSupplier load = () -> 0;
    private volatile IntSupplier streams = () -> 0;

    /**
     * Sets what is measured.
     *
     * @param load use of the processors, 0 to 1
     * @param streams that run
     */
    public void measure(DoubleSupplier load, IntSupplier streams) {
        this.load = load;
        this.streams = streams;
    }

    double hostLoad() {
        double now = load.getAsDouble();
        return now >= 0 ? Math.min(now, 1) : 0;
    }

    int streams() {
        return streams.getAsInt();
    }
}
