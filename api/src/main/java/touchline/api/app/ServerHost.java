package touchline.api.app;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import touchline.api.certificate.CertificateStatus;
import touchline.api.certificate.Certificates;
import touchline.api.db.Database;
import touchline.api.host.HostFacts;
import touchline.api.host.HostWatch;
import touchline.api.host.NvidiaSmi;
import touchline.config.LiveConfig;
import touchline.config.ServerConfig;
import touchline.media.ffmpeg.EncoderCapabilities;
import touchline.media.ffmpeg.Ffmpeg;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.store.DiskSpace;
import touchline.moderation.djl.TorchVersion;
import touchline.overlay.CompositorCounters;

/** Sources of the report on a server's host. */
final class ServerHost {
    private ServerHost() {}

    /**
     * What of the running server encodes, and with what; borrowed.
     *
     * @param tested the encoders of this host; empty until they are tested
     */
    record Encoding(
            Supplier<Optional<EncoderCapabilities>> tested,
            CompositorCounters compositors,
            VodServices vod) {
        private List<HostFacts.Work> work(ServerConfig config) {
            int most = config.overlay().maxCompositors();
            return List.of(
                    new HostFacts.Work(
                            "scoreboard",
                            compositors.running(),
                            most > 0 ? OptionalLong.of(most) : OptionalLong.empty()),
                    new HostFacts.Work(
                            "transcoding", vod.running(), OptionalLong.of(vod.places())));
        }

        private Optional<HostWatch.EncoderFacts> facts(String wanted) {
            return tested.get().map(encoders -> facts(encoders, wanted));
        }

        private static HostWatch.EncoderFacts facts(EncoderCapabilities encoders, String wanted) {
            List<HostFacts.Encoder> all =
                    Arrays.stream(H264Encoder.values())
                            .map(
                                    each ->
                                            new HostFacts.Encoder(
                                                    each.configName(),
                                                    each == H264Encoder.NVENC,
                                                    encoders.refusals().getOrDefault(each, "")))
                            .toList();
            Optional<H264Encoder> selected =
                    wanted.equals("auto")
                            ? encoders.best()
                            : H264Encoder.ofConfig(wanted).filter(encoders::canUse);
            return new HostWatch.EncoderFacts(all, selected.map(H264Encoder::configName));
        }
    }

    /** What the host page names. */
    record Shown(Database database, Certificates certificates) {}

    /**
     * Creates the watch; the caller starts and closes it.
     *
     * @param dataDir its disk is watched
     * @param mediaBytes of packaged media
     */
    static HostWatch watch(
            LiveConfig live,
            Path dataDir,
            Shown shown,
            LongSupplier mediaBytes,
            Encoding encoding,
            InstantSource clock) {
        ServerConfig config = live.get();
        String product = shown.database().product();
        Optional<String> torch = TorchVersion.text();
        return new HostWatch(
                new HostWatch.Sources(
                        () -> DiskSpace.of(dataDir),
                        live.section(DataFolder::leastFree),
                        mediaBytes,
                        NvidiaSmi::cards,
                        () -> encoding.facts(config.encoder().video()),
                        () -> encoding.work(config),
                        () -> versions(encoding, torch, product),
                        () -> shown.certificates().status().map(ServerHost::certificate),
                        clock));
    }

    private static HostFacts.Certificate certificate(CertificateStatus shown) {
        return new HostFacts.Certificate(String.join(", ", shown.names()), shown.notAfter());
    }

    private static HostFacts.Versions versions(
            Encoding encoding, Optional<String> torch, String database) {
        return new HostFacts.Versions(
                Optional.ofNullable(Main.class.getPackage().getImplementationVersion())
                        .orElse("development"),
                System.getProperty("java.runtime.version"),
                // Loaded by the test of the encoders.
                encoding.tested().get().map(_ -> Ffmpeg.version()),
                torch,
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                database);
    }
}
