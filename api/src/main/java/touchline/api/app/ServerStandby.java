package touchline.api.app;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import touchline.api.db.Database;
import touchline.api.db.ImageRepository;
import touchline.api.programme.ImageImport;
import touchline.api.programme.SlatePainter;
import touchline.api.programme.StandbyImages;
import touchline.api.session.SessionSupervisor;
import touchline.api.view.StandbyView;
import touchline.media.decoding.GopDecoders;
import touchline.media.ffmpeg.Ffmpeg;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.hub.StandbyMaker;
import touchline.media.hub.StandbyReason;
import touchline.media.standby.StandbyEncoding;
import touchline.media.worker.WorkerLimits;
import touchline.media.worker.WorkerPool;

/** What the standby of all sessions needs. Built and closed with the server. */
final class ServerStandby implements AutoCloseable {
    private final WorkerPool workers;
    private final StandbyImages images;
    private final StandbyEncoding encoding;

    /**
     * @param decoders open the decoders of last frames
     */
    ServerStandby(Database database, ServerIsolation isolation, GopDecoders decoders) {
        workers = new WorkerPool(isolation.launch(WorkerLimits.DEFAULTS), isolation);
        ImageRepository repository = new ImageRepository(database);
        images = new StandbyImages(new ImageImport(workers), repository);
        encoding =
                new StandbyEncoding(
                        decoders, new SlatePainter(repository), ServerStandby::encoders);
    }

    /** A processor first: a frame that is encoded once is not worth a session of a GPU. */
    private static List<H264Encoder> encoders() {
        List<H264Encoder> all = new ArrayList<>(Ffmpeg.encoders().usable());
        if (all.remove(H264Encoder.NVENC)) {
            all.addLast(H264Encoder.NVENC);
        }
        return all;
    }

    /** Makes the media of standbys. */
    StandbyMaker maker() {
        return encoding;
    }

    StandbyImages images() {
        return images;
    }

    /** Registers the metrics. */
    void bind(MeterRegistry registry, SessionSupervisor sessions) {
        Gauge.builder("touchline.standby.active", sessions, ServerStandby::active)
                .description("Sessions whose programme the standby writes")
                .register(registry);
        FunctionCounter.builder(
                        "touchline.standby.failed", sessions, each -> each.standby().failed())
                .description("Standbys that could not be made: viewers waited for the encoder")
                .register(registry);
        for (StandbyReason reason : StandbyReason.values()) {
            FunctionCounter.builder(
                            "touchline.standby.started",
                            sessions,
                            each -> each.standby().startedBy(reason))
                    .description("Standbys that began, by reason")
                    .tag("reason", StandbyView.name(reason))
                    .register(registry);
        }
    }

    private static double active(SessionSupervisor sessions) {
        return sessions.live().active().stream()
                .filter(live -> live.standby().status().isPresent())
                .count();
    }

    @Override
    public void close() {
        encoding.close();
        workers.close();
    }
}
