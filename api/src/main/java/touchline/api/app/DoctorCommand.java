package touchline.api.app;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import touchline.api.host.NvidiaSmi;
import touchline.config.ServerConfig;
import touchline.config.StartWarnings;
import touchline.media.ffmpeg.Ffmpeg;
import touchline.media.ffmpeg.Gpu;
import touchline.overlay.page.ChromiumRenderer;

/** {@code doctor}: reports what this host has and lacks, one line each, with advice. */
@Command(name = "doctor", description = "Checks this host; exit code 1 if serve cannot work.")
final class DoctorCommand implements Callable<Integer> {
    @Mixin private ConfigOption config = new ConfigOption();

    @Option(
            names = "--cluster",
            description = "also: what this host would be as a node of a cluster")
    private boolean cluster;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        ServerConfig loaded = config.load();
        List<Finding> findings = new ArrayList<>();
        findings.addAll(new HostChecks(loaded).run());
        findings.addAll(new MediaChecks(loaded).run());
        findings.addAll(
                new ToolChecks(
                                loaded,
                                System.getenv(),
                                ChromiumRenderer::probe,
                                new GpuChecks.Tested(
                                        NvidiaSmi.cards(), Ffmpeg::encoders, Gpu::isPresent))
                        .run());
        findings.add(
                new ServerIsolation(loaded, Path.of(System.getProperty("java.io.tmpdir")))
                        .finding());
        findings.addAll(new PortChecks(loaded, () -> ServerOption.isRunning(loaded)).run());
        findings.addAll(new CertificateChecks(loaded, Clock.systemUTC()).run());
        findings.addAll(new S3Checks(loaded, Path.of(System.getProperty("java.io.tmpdir"))).run());
        if (cluster) {
            findings.addAll(new ClusterDoctor(loaded).run());
        }
        for (String warning : StartWarnings.of(loaded)) {
            findings.add(Finding.warn("config", warning, ""));
        }
        return print(findings, spec.commandLine().getOut());
    }

    /** Returns the exit code. */
    static int print(List<Finding> findings, PrintWriter out) {
        int failures = 0;
        for (Finding finding : findings) {
            String level = finding.level().name().toLowerCase(Locale.ROOT);
            out.printf("%-5s %-14s %s%n", level, finding.subject(), finding.text());
            if (!finding.advice().isEmpty()) {
                out.printf("%21s-> %s%n", "", finding.advice());
            }
            if (finding.level() == Finding.Level.FAIL) {
                failures++;
            }
        }
        out.println(
                failures == 0
                        ? "serve can do its work here"
                        : "serve cannot do its work here: " + failures + " failed");
        out.flush();
        return failures == 0 ? 0 : 1;
    }
}
