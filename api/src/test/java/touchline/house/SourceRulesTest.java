package touchline.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Sizes that keep a file readable, and the null marks of every package. */
final class SourceRulesTest {
    private static final int FILE_LINES = 400;
    private static final int METHOD_LINES = 60;
    private static final int PARAMETERS = 6;

    @Test
    void files_haveAtMost400Lines() throws IOException {
        List<Path> files = new ArrayList<>(SourceTree.javaFiles("main"));
        files.addAll(SourceTree.javaFiles("test"));
        List<String> tooLong = new ArrayList<>();
        for (Path file : files) {
            int lines = Files.readAllLines(file).size();
            if (lines > FILE_LINES) {
                tooLong.add(SourceTree.shortName(file) + ": " + lines);
            }
        }

        assertTrue(files.size() > 50, "the sources were not found");
        assertEquals(List.of(), tooLong);
    }

    @Test
    void packages_areNullMarked() throws IOException {
        TreeSet<String> unmarked = new TreeSet<>();
        for (Path file : SourceTree.javaFiles("main")) {
            Path folder = Objects.requireNonNull(file.getParent());
            Path info = folder.resolve("package-info.java");
            if (!Files.exists(info) || !Files.readString(info).contains("@NullMarked")) {
                unmarked.add(SourceTree.shortName(folder));
            }
        }

        assertEquals(new TreeSet<String>(), unmarked);
    }

    @Test
    void methods_areShortAndTakeFewParameters() throws IOException {
        MethodScanner scanner = new MethodScanner();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task =
                    (JavacTask)
                            compiler.getTask(
                                    null,
                                    files,
                                    null,
                                    List.of("-proc:none"),
                                    null,
                                    files.getJavaFileObjectsFromPaths(
                                            SourceTree.javaFiles("main")));
            scanner.positions = Trees.instance(task).getSourcePositions();
            for (CompilationUnitTree unit : task.parse()) {
                scanner.scan(unit, unit);
            }
        }

        assertTrue(scanner.methods > 100, "the sources were not parsed");
        assertEquals(List.of(), scanner.faults);
    }

    /** Parses only; a record's components are no parameters, they are how one avoids them. */
    private static final class MethodScanner extends TreeScanner<Void, CompilationUnitTree> {
        private final List<String> faults = new ArrayList<>();
        private int methods;
        private @Nullable SourcePositions positions;
        private boolean inRecord;

        @Override
        public Void visitClass(ClassTree type, CompilationUnitTree unit) {
            boolean outer = inRecord;
            inRecord = type.getKind() == Tree.Kind.RECORD;
            super.visitClass(type, unit);
            inRecord = outer;
            return null;
        }

        @Override
        public Void visitMethod(MethodTree method, CompilationUnitTree unit) {
            methods++;
            SourcePositions found = Objects.requireNonNull(positions);
            long first = line(unit, found.getStartPosition(unit, method));
            long last = line(unit, found.getEndPosition(unit, method));
            boolean canonical = inRecord && method.getReturnType() == null;
            String name =
                    SourceTree.shortName(Path.of(unit.getSourceFile().toUri()))
                            + ":"
                            + first
                            + " "
                            + method.getName();
            if (last - first + 1 > METHOD_LINES) {
                faults.add("%s: %d lines".formatted(name, last - first + 1));
            }
            if (method.getParameters().size() > PARAMETERS && !canonical) {
                faults.add("%s: %d parameters".formatted(name, method.getParameters().size()));
            }
            return super.visitMethod(method, unit);
        }

        private static long line(CompilationUnitTree unit, long position) {
            return unit.getLineMap().getLineNumber(position);
        }
    }
}
