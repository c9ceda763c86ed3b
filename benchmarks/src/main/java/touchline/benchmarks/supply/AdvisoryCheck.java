package touchline.benchmarks.supply;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Benchmark;
import touchline.benchmarks.load.Report;

/**
 * {@code bench advisories [FOLDER|ZIP] [--sbom FILE] [--service URL]}: compares the versions of the
 * SBOM with the OSV data set: files where they are given, the service otherwise. Exit code 0: no
 * advisory, 1: some, 3: there was no data, so nothing is known.
 */
public final class AdvisoryCheck implements Benchmark {
    /** Neither good nor bad: nothing was compared. */
    static final int NO_DATA = 3;

    private static final String SERVICE = "https://api.osv.dev";

    private final Arguments arguments;
    private final Report report;

    public AdvisoryCheck(Arguments arguments, Report report) {
        this.arguments = arguments;
        this.report = report;
    }

    @Override
    public int run() throws InterruptedException, IOException {
        Path sbom = Path.of(arguments.option("--sbom", System.getProperty("touchline.sbom", "")));
        if (!Files.isRegularFile(sbom)) {
            report.note(
                    "no SBOM at %s: Maven writes it when it is online; build again, or pass --sbom"
                            + " FILE",
                    sbom);
            return NO_DATA;
        }
        List<Component> components = Component.of(sbom);
        String place = arguments.text(0, "");
        return place.isEmpty() ? byService(components) : byFiles(components, Path.of(place));
    }

    private int byFiles(List<Component> components, Path place) {
        List<Advisory> advisories;
        try {
            advisories = OsvData.read(place);
        } catch (IOException e) {
            report.note("no OSV data: %s", e.toString());
            return NO_DATA;
        }
        Map<Component, List<String>> found = new LinkedHashMap<>();
        for (Component each : components) {
            List<String> ids =
                    advisories.stream()
                            .filter(advisory -> advisory.affects(each))
                            .map(advisory -> advisory.id() + " " + advisory.summary())
                            .toList();
            if (!ids.isEmpty()) {
                found.put(each, ids);
            }
        }
        return report(components, found, advisories.size() + " OSV records in " + place);
    }

    private int byService(List<Component> components) throws InterruptedException {
        URI service = URI.create(arguments.option("--service", SERVICE));
        try {
            return report(components, new OsvService(service).ask(components), service.toString());
        } catch (IOException e) {
            report.note(
                    "no OSV data: %s cannot be asked (%s). Nothing was compared. Where there is no"
                            + " network, fetch https://storage.googleapis.com/osv-vulnerabilities/"
                            + "Maven/all.zip elsewhere and pass its path",
                    service, e.toString());
            return NO_DATA;
        }
    }

    private int report(
            List<Component> components, Map<Component, List<String>> found, String source) {
        Report.Table table = report.table("advisories", "library | version | advisories");
        found.forEach(
                (component, ids) ->
                        table.row(component.name(), component.version(), String.join("; ", ids)));
        report.note(
                "%d libraries compared with %s: %d have advisories",
                components.size(), source, found.size());
        return found.isEmpty() ? 0 : 1;
    }
}
