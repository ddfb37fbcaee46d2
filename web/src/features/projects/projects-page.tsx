// All projects one belongs to, or those in the bin.

import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { BinToggle } from "../../ui/bin-toggle.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { usePageTitle } from "../../ui/use-page-title.ts";
import { NewProjectModal } from "./new-project-modal.tsx";
import { ProjectList } from "./project-list.tsx";

export function ProjectsPage() {
  const search = useSearch({ from: "/in/projects" });
  const navigate = useNavigate({ from: "/projects" });
  const bin = search.bin ?? false;
  const openForm = () => void navigate({ search: { new: true } });
  const heading = bin ? "Projects in the bin" : "Projects";
  usePageTitle(heading);
  return (
    <>
      <PageHeader
        title={heading}
        actions={
          <>
            <BinToggle bin={bin} what="projects" onToggle={() => void navigate({ search: bin ? {} : { bin: true } })} />
            {bin ? null : (
              <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={openForm}>
                New project
              </Button>
            )}
          </>
        }
      />
      <ProjectList bin={bin} onNew={openForm} />
      {search.new ? <NewProjectModal onClose={() => void navigate({ search: {}, replace: true })} /> : null}
    </>
  );
}
