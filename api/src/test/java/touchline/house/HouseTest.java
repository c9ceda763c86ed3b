package touchline.house;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import touchline.api.db.Epoch;
import touchline.api.db.SessionRepository;

/** The walls of the house: which package may know which, and which library lives where. */
final class HouseTest {
    static final JavaClasses HOUSE =
            new ClassFileImporter()
                    .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                    .withImportOption(location -> !location.contains("-tests.jar"))
                    .importPackages("touchline");

    private static final List<String> MEDIA = List.of("media", "media.**");
    private static final String CONFIG = "config";

    /**
     * For each package, all others of the house that it may use; {@code .**} stands for everything
     * below. A new package wants a line here, and so a thought.
     */
    private static final Map<String, List<String>> MAY_USE = new TreeMap<>();

    static {
        MAY_USE.put("config", List.of());

        MAY_USE.put("media.codec", List.of());
        MAY_USE.put("media", List.of("media.codec"));
        MAY_USE.put("media.hub", List.of("media", "media.codec"));
        MAY_USE.put("media.ffmpeg", List.of("media", "media.codec", "media.concurrent"));
        MAY_USE.put("media.file", List.of("media.codec", "media.ffmpeg"));
        MAY_USE.put(
                "media.transcode",
                List.of(
                        "media",
                        "media.codec",
                        "media.concurrent",
                        "media.ffmpeg",
                        "media.file",
                        "media.hub",
                        "media.rendition"));
        MAY_USE.put(
                "media.rendition",
                List.of("media", "media.codec", "media.concurrent", "media.ffmpeg", "media.hub"));
        MAY_USE.put(
                "media.alignment",
                List.of("media", "media.codec", "media.concurrent", "media.ffmpeg", "media.hub"));
        MAY_USE.put("media.worker", List.of("media.ffmpeg"));
        MAY_USE.put(
                "media.decoding", List.of("media", "media.codec", "media.ffmpeg", "media.worker"));
        MAY_USE.put(
                "media.standby",
                List.of("media", "media.codec", "media.decoding", "media.ffmpeg", "media.hub"));
        MAY_USE.put(
                "media.signal",
                List.of(
                        "media",
                        "media.codec",
                        "media.concurrent",
                        "media.decoding",
                        "media.ffmpeg",
                        "media.hub"));
        MAY_USE.put("media.concurrent", List.of());
        List.of("media.net", "media.store", "media.tls", "api.cluster.ownership")
                .forEach(each -> MAY_USE.put(each, List.of()));

        MAY_USE.put("ingest", own());
        MAY_USE.put("ingest.amf", own());
        MAY_USE.put("ingest.flv", own());
        MAY_USE.put("ingest.rtmp", own("ingest", "ingest.amf", "ingest.flv"));

        MAY_USE.put("packager.isobmff", own());
        MAY_USE.put("packager.audience", own());
        MAY_USE.put("packager.hls", own("packager.isobmff"));
        MAY_USE.put("packager.record", own("packager.hls", "packager.isobmff"));
        MAY_USE.put("packager.clip", own("packager.isobmff", "packager.record"));
        MAY_USE.put("packager.thumbnail", own("packager.hls", "packager.isobmff"));
        MAY_USE.put("packager.edge", own("packager.hls"));
        MAY_USE.put(
                "packager.delivery",
                own(
                        "packager.audience",
                        "packager.edge",
                        "packager.hls",
                        "packager.isobmff",
                        "packager.record",
                        "packager.thumbnail"));

        MAY_USE.put("overlay.relay", own());
        MAY_USE.put("overlay.page", own("overlay.relay"));
        MAY_USE.put("overlay.scoreboard", own("overlay.page"));
        MAY_USE.put("overlay", own("overlay.page"));
        MAY_USE.put("overlay.stream", own("overlay"));
        MAY_USE.put("moderation", own());
        MAY_USE.put("moderation.djl", own("moderation"));
        List<String> below = List.of("ingest.**", "packager.**", "overlay.**", "moderation.**");
        MAY_USE.put("api.domain", room(below));
        MAY_USE.put("api.sport", List.of());
        MAY_USE.put("api.view", own("api.domain", "api.sport"));
        MAY_USE.put("api.db", room(below, "api.cluster.ownership", "api.domain", "api.sport"));
        MAY_USE.put("api.egress", own());
        MAY_USE.put("api.trace", own());
        MAY_USE.put("api.certificate", own("api.db", "api.domain", "api.egress"));
        MAY_USE.put("api.access", room(below, "api.db", "api.domain"));
        List<String> middle =
                List.of(
                        "api.access",
                        "api.egress",
                        "api.db",
                        "api.trace",
                        "api.view",
                        "api.sport",
                        "api.domain");
        MAY_USE.put("api.events", room(below, middle));
        MAY_USE.put("api.audience", room(below, "api.db", "api.domain"));
        MAY_USE.put("api.programme", own("api.db", "api.domain"));
        MAY_USE.put("api.asset", room(below, "api.db", "api.view", "api.domain"));
        MAY_USE.put("api.audit", room(below, middle, "api.events"));
        MAY_USE.put("api.scoreboard", room(below, middle, "api.events"));
        MAY_USE.put("api.restream", room(below, middle));
        MAY_USE.put("api.signal", room(List.of(), "api.db", "api.domain"));
        List<String> upper = new ArrayList<>(middle);
        upper.addAll(
                List.of(
                        "api.events",
                        "api.asset",
                        "api.audience",
                        "api.audit",
                        "api.programme",
                        "api.scoreboard",
                        "api.restream",
                        "api.signal"));
        MAY_USE.put("api.session", room(below, upper, "api.cluster.ownership"));
        MAY_USE.put(
                "api.cluster",
                own(
                        "api.access",
                        "api.cluster.**",
                        "api.db",
                        "api.domain",
                        "api.events",
                        "api.session",
                        "ingest",
                        "packager.audience",
                        "packager.edge"));
        MAY_USE.put("api.maintenance", room(List.of(), upper, "api.session"));
        MAY_USE.put("api.watch", room(below, upper, "api.session"));
        MAY_USE.put("api.home", room(below, upper, "api.maintenance", "api.storage"));
        MAY_USE.put("api.host", own("api.maintenance"));
        MAY_USE.put("api.jobs", room(below, middle, "api.asset", "api.events"));
        MAY_USE.put(
                "api.backup",
                room(below, "api.access", "api.asset", "api.certificate", "api.db", "api.domain"));
        MAY_USE.put("api.storage", own("api.egress", "api.domain"));
        MAY_USE.put(
                "api.vod",
                room(below, middle, "api.jobs", "api.storage", "api.asset", "api.events"));
        List<String> uppermost = new ArrayList<>(upper);
        uppermost.addAll(
                List.of(
                        "api.home",
                        "api.host",
                        "api.session",
                        "api.cluster",
                        "api.vod",
                        "api.storage",
                        "api.jobs",
                        "api.backup",
                        "api.certificate"));
        MAY_USE.put("api.http", room(below, uppermost));
        MAY_USE.put("api.logging", own());
        MAY_USE.put("api.demo", own("api.programme"));
        MAY_USE.put("api.app", room(below, "api.**"));
    }

    /** Library, and the packages or classes that may know it. */
    private static final Map<String, List<String>> LIVES_IN =
            Map.ofEntries(
                    Map.entry(
                            "io.netty..",
                            List.of(
                                    "ingest",
                                    "ingest.**",
                                    "packager.delivery",
                                    "packager.edge",
                                    "overlay.relay",
                                    "overlay.scoreboard")),
                    Map.entry(
                            "org.bytedeco..",
                            List.of("media.ffmpeg", "media.file", "media.transcode")),
                    Map.entry("ai.djl..", List.of("moderation.djl")),
                    Map.entry("java.sql..", List.of("api.db")),
                    Map.entry("javax.sql..", List.of("api.db", "api.jobs.JobQueue")),
                    Map.entry("org.jdbi..", List.of("api.db")),
                    Map.entry("org.flywaydb..", List.of("api.db")),
                    Map.entry("com.zaxxer..", List.of("api.db")),
                    Map.entry("org.h2..", List.of("api.db")),
                    Map.entry("org.postgresql..", List.of("api.db")),
                    Map.entry(
                            "io.helidon..", List.of("api.http", "api.app", "config.ConfigLoader")),
                    Map.entry("com.nimbusds..", List.of("api.access")),
                    Map.entry("org.shredzone.acme4j..", List.of("api.certificate")),
                    Map.entry("org.bouncycastle..", List.of("api.certificate")),
                    Map.entry("org.apache.hc..", List.of("api.egress")),
                    Map.entry("software.amazon.awssdk..", List.of("api.egress", "api.storage")),
                    Map.entry("com.github.kagkarlsson..", List.of("api.jobs")),
                    // Not the port: nothing of it is loaded while traces are off.
                    Map.entry(
                            "io.opentelemetry..",
                            List.of(
                                    "api.trace.OtelTracing",
                                    "api.trace.OtelSpan",
                                    "api.trace.TraceExport")),
                    Map.entry("ch.qos.logback..", List.of("api.logging", "api.app.Foreground")),
                    Map.entry("picocli..", List.of("api.app")));

    static Stream<String> packages() {
        return MAY_USE.keySet().stream();
    }

    static Stream<String> libraries() {
        return LIVES_IN.keySet().stream().sorted();
    }

    @Test
    void everyPackage_hasItsLineInTheTable() {
        TreeSet<String> unlisted = new TreeSet<>();
        for (JavaClass each : HOUSE) {
            unlisted.add(each.getPackageName().replaceFirst("touchline\\.", ""));
        }
        assertTrue(unlisted.contains("config"), "no classes were found");
        unlisted.removeAll(MAY_USE.keySet());

        assertEquals(new TreeSet<>(), unlisted);
    }

    @ParameterizedTest
    @MethodSource("packages")
    void packageOfTheHouse_usesOnlyWhatItMay(String name) {
        List<String> allowed = new ArrayList<>(MAY_USE.getOrDefault(name, List.of()));
        allowed.add(name);
        noClasses()
                .that()
                .resideInAPackage("touchline." + name)
                .should()
                .dependOnClassesThat(resideInAPackage("touchline..").and(outside(allowed)))
                .allowEmptyShould(true)
                .check(HOUSE);
    }

    @Test
    void packages_haveNoCycles() {
        slices().matching("touchline.(**)").should().beFreeOfCycles().check(HOUSE);
    }

    /** Otherwise a node could write what belongs to another one by now. */
    @Test
    void writesOfSessions_nameTheEpochOfTheirStream() {
        methods()
                .that()
                .areDeclaredIn(SessionRepository.class)
                .and()
                .arePublic()
                // Whether the row was there to write.
                .and()
                .haveRawReturnType(boolean.class)
                .should(
                        new ArchCondition<JavaMethod>("take an Epoch") {
                            @Override
                            public void check(JavaMethod method, ConditionEvents events) {
                                boolean takesOne =
                                        method.getRawParameterTypes().stream()
                                                .anyMatch(type -> type.isEquivalentTo(Epoch.class));
                                events.add(
                                        new SimpleConditionEvent(
                                                method, takesOne, method.getFullName()));
                            }
                        })
                .check(HOUSE);
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void library_staysInItsRoom(String library) {
        noClasses()
                .that(outside(LIVES_IN.getOrDefault(library, List.of())))
                .should()
                .dependOnClassesThat(resideInAnyPackage(library))
                .check(HOUSE);
    }

    /** Classes of the house that none of the names covers: packages, {@code x.**}, or a class. */
    static DescribedPredicate<JavaClass> outside(List<String> names) {
        return DescribedPredicate.describe(
                "outside " + names, each -> names.stream().noneMatch(name -> covers(name, each)));
    }

    private static boolean covers(String name, JavaClass each) {
        String full = "touchline." + name;
        if (full.endsWith(".**")) {
            String parent = full.substring(0, full.length() - 3);
            return each.getPackageName().equals(parent)
                    || each.getPackageName().startsWith(parent + ".");
        }
        return each.getPackageName().equals(full)
                || each.getName().equals(full)
                || each.getName().startsWith(full + "$");
    }

    private static List<String> own(String... more) {
        return room(List.of(), more);
    }

    private static List<String> room(List<String> first, List<String> second, String... more) {
        List<String> both = new ArrayList<>(first);
        both.addAll(second);
        return room(both, more);
    }

    private static List<String> room(List<String> first, String... more) {
        List<String> all = new ArrayList<>(MEDIA);
        all.add(CONFIG);
        all.addAll(first);
        all.addAll(List.of(more));
        return List.copyOf(all);
    }

    @Nested
    final class OutsideTest extends OutsideRules {}
}
